"""The application of the environment, as OpenEnv looks for it."""

import uvicorn

from crafter.lm.trainers.openenv import make_app

app = make_app()


def main(host: str = "0.0.0.0", port: int = 8000) -> None:
    """Serves games until it is interrupted."""
    uvicorn.run(app, host=host, port=port)


if __name__ == "__main__":
    main()
