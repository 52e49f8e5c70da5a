"""The window of render_mode='human', without a screen."""

import copy
import pickle
import sys

import gymnasium
import numpy as np
import pytest

import crafter
from crafter.core.window import Window

pygame = pytest.importorskip("pygame", reason="pygame is not installed")


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    pygame.quit()  # Another file's tests may have left a window open.
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.quit()


@pytest.fixture
def env():
    env = crafter.Env(
        area=(20, 20), size=(27, 27), render_mode="human", render_size=(90, 72)
    )
    env.metadata = {**env.metadata, "render_fps": 0}  # as fast as can be
    yield env
    env.close()


def shown():
    """Returns the picture in the window, (height, width, 3)."""
    return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)


def test_the_window_shows_every_step_until_it_is_closed(env):
    env.close()
    assert not pygame.display.get_init()
    env.reset(seed=0, options={"daytime": "dusk"})
    np.testing.assert_array_equal(shown(), env.frame((90, 72)))
    for action in [1, 5, 2, 0]:
        env.step(action)
        np.testing.assert_array_equal(shown(), env.frame((90, 72)))
    assert env.render() is None
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a))
    env.reset()
    np.testing.assert_array_equal(shown(), env.frame((90, 72)))
    env.close()
    env.close()
    assert not pygame.display.get_init()
    env.step(0)
    np.testing.assert_array_equal(shown(), env.frame((90, 72)))


def test_the_usual_size_and_title():
    env = gymnasium.make("CrafterReward-v1", render_mode="human")
    env.unwrapped.metadata = {**env.unwrapped.metadata, "render_fps": 0}
    env.reset(seed=0)
    assert shown().shape == (600, 600, 3)
    assert pygame.display.get_caption()[0] == "Crafter"
    env.close()


def test_copies_have_no_window(env):
    env.reset(seed=0)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.close()
        assert pygame.display.get_init()  # that of the original
        np.testing.assert_array_equal(other.frame(), env.frame())
    env.step(0)
    np.testing.assert_array_equal(shown(), env.frame((90, 72)))


def test_a_second_environment_may_close_its_window(env):
    other = crafter.Env(render_mode="human", render_size=(90, 72))
    other.metadata = env.metadata
    env.reset(seed=0)
    other.reset(seed=1)
    np.testing.assert_array_equal(shown(), other.frame((90, 72)))
    env.step(0)
    np.testing.assert_array_equal(shown(), env.frame((90, 72)))
    other.close()
    env.step(0)
    np.testing.assert_array_equal(shown(), env.frame((90, 72)))


def test_the_window_takes_frames_of_changing_sizes():
    window = Window("Test", fps=0)
    for shape in [(20, 30, 3), (20, 30, 3), (50, 40, 3)]:
        frame = np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)
        window.show(frame)
        np.testing.assert_array_equal(shown(), frame)
    window.close()
    window.close()


def test_x_closes_the_window_and_the_game_goes_on(env):
    env.reset(seed=0)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    with pytest.warns(UserWarning, match="The window was closed. The game continues"):
        env.step(0)
    assert not pygame.display.get_init()
    env.step(0)
    env.reset()
    assert env.step_count == 0
    assert not pygame.display.get_init()
    env.close()
    env.step(0)
    np.testing.assert_array_equal(shown(), env.frame((90, 72)))


def test_without_pygame_the_pip_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)  # import raises ImportError
    with pytest.raises(
        gymnasium.error.DependencyNotInstalled, match=r"pip install 'crafter\[gui\]'"
    ):
        Window("Test", fps=5)
