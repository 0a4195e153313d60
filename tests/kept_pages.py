"""Pages of the browser that one test leaves to the next: to open a context and its first page takes longer than most tests do."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Error

from tests.served import NOTHING


class KeptPages:
    """Contexts of one site with one page each. Nothing of a test stays in them but static files in the browser's cache."""

    def __init__(self, browser: Any, url: str) -> None:
        self.browser, self.url = browser, url
        self._idle: dict[bool, list[Any]] = {True: [], False: []}
        self._alone: list[Any] = []

    def take(self, *, width: int, dark: bool, javascript: bool, alone: bool = False) -> Any:
        """Return an empty page that nobody is signed in on; if `alone`, one that no test had before or gets later."""
        idle = self._idle[javascript]
        page = idle.pop() if idle and not alone else self._open(javascript)
        if alone:
            self._alone.append(page)
        page.set_viewport_size({"width": width, "height": 740 if width < 700 else 900})
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        return page

    def give_back(self, page: Any, *, javascript: bool) -> None:
        """Empty a page for the next test; one that was closed, was alone, or opened another, is let go with its context."""
        context = page.context
        if page.is_closed() or page in self._alone or context.pages != [page]:
            context.close()
            return
        page.unroute_all(behavior="ignoreErrors")
        try:
            if page.url.startswith(self.url):
                page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            page.goto(f"{self.url}/static/{NOTHING}")  # not about:blank: the next page would need a new process
        except Error:  # its line is cut, or the test left it on its way to another page
            context.close()
            return
        context.clear_cookies()
        self._idle[javascript].append(page)

    def close(self) -> None:
        """Close what is left."""
        for pages in self._idle.values():
            for page in pages:
                page.context.close()

    def _open(self, javascript: bool) -> Any:
        context = self.browser.new_context(
            base_url=self.url,
            java_script_enabled=javascript,
            service_workers="block",  # it fetches every static file for later; what it does is tested in test_offline.py
        )
        context.set_default_timeout(10_000)
        return context.new_page()
