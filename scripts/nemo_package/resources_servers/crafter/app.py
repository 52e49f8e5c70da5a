"""NeMo Gym resources server for the games."""

from crafter.lm.trainers.nemo import CrafterServer

if __name__ == "__main__":
    CrafterServer.run_webserver()
