"""Server application of the environment, where OpenEnv expects it."""

import uvicorn

from crafter.lm.trainers.openenv import make_app

app = make_app()


def main(host: str = "0.0.0.0", port: int = 8000) -> None:
    """Serves games until interrupted."""
    uvicorn.run(app, host=host, port=port)


if __name__ == "__main__":
    main()
