"""A real Chromium for the tests of pages."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium is installed")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=path, args=arguments)
        yield started
        started.close()


def opened(browser: object, path: Path, **options: object) -> tuple[object, list[str]]:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, **options)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.goto(path.as_uri())
    return page, errors
