#!/bin/sh
# Prints the path of a Chromium for the tests: $CHROMIUM, or an installed one, or Debian's, which root may install.
set -eu
find_it() { command -v "${CHROMIUM:-chromium}" || command -v chromium-browser || command -v google-chrome; }
if ! find_it; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        { apt-get update && apt-get install --yes --no-install-recommends chromium; } >&2
    fi
    find_it || { echo "The tests of the page need Chromium: install it (Debian: apt install chromium), or set CHROMIUM." >&2; exit 1; }
fi
