"""Adds the binary in bin/ as a program, and names its system."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = os.environ["SLEIGHT_TAG"]
        build_data["shared_scripts"] = {f"bin/{name}": name for name in os.listdir(os.path.join(self.root, "bin"))}
