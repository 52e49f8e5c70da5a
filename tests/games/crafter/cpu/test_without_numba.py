"""Without numba the package works, and the batched engine says how to install it."""

import subprocess
import sys

BLOCK = "import sys; sys.modules['numba'] = None\nimport gymnasium, crafter\n"


def run(code):
    command = [sys.executable, "-c", BLOCK + code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_missing_numba_is_explained():
    result = run("gymnasium.make_vec('CrafterReward-v1', num_envs=2)")
    assert result.returncode == 1
    assert "pip install 'crafter[vector]'" in result.stderr.splitlines()[-1]


def test_gymnasiums_loop_works_without_numba():
    code = "envs = gymnasium.make_vec('CrafterReward-v1', 2, 'sync')\n"
    code += "envs.reset(seed=0); print(envs.step([0, 1])[0].shape)"
    result = run(code)
    assert (result.stdout, result.stderr) == ("(2, 64, 64, 3)\n", "")
