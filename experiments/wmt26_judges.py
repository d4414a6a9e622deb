"""Judges of a campaign of documents who know how good texts are: over HTTP, or in a browser.

Each is strict or mild in its own way and errs. One in ten does not read, and fails checks.
"""

import random
import re
from dataclasses import dataclass, field
from urllib.parse import urlencode

from http_judges import JudgeClient

INPUT = re.compile(r'name="version" value="([^"]*)"')


@dataclass
class Mind:
    """What a judge thinks of a text: a score and errors, the same each time."""

    truth: object
    number: int
    is_careless: bool = False
    drawn: random.Random = field(init=False)

    def __post_init__(self):
        self.drawn = random.Random(self.number)
        self.severity = self.drawn.gauss(0, 7)

    def cell(self, text, *, is_lesson=False):
        """The answer about one output."""
        if text in self.truth.errors:
            start, end = self.truth.errors[text]
            return {"spans": [{"start": start, "end": end, "severity": "major"}], "score": 40}
        if self.is_careless and not is_lesson:
            return {"spans": [], "score": self.drawn.randint(40, 90)}
        true = self.truth.scores[text]
        noise = 0 if is_lesson else self.severity + self.drawn.gauss(0, 9)
        score = round(min(100, max(0, true + noise)))
        return {"spans": [] if is_lesson else self._errors(text, score), "score": score}

    def _errors(self, text, score):
        words = list(re.finditer(r"\S+", text))
        count = min(len(words), self.drawn.randint(0, (110 - score) // 20))
        kind = "major" if score < 60 else "minor"
        chosen = sorted(self.drawn.sample(range(len(words)), count))
        return [
            {"start": words[n].start(), "end": words[n].end(), "severity": kind} for n in chosen
        ]

    def answer(self, task):
        """A whole document, in the order shown."""
        is_lesson = task["role"] == "tutorial"
        rows = [[self.cell(t, is_lesson=is_lesson) for t in row["outputs"]] for row in task["rows"]]
        return {"segments": rows}


class FirstStepsClient(JudgeClient):
    """A judge over HTTP who answers the questions and reads the instructions before work."""

    def take_first_steps(self):
        """Everything that the page shows before the first task."""
        self.sign_in()
        self._form("/judge/questions", {"q1": "7"})
        page = self._send("GET", "/judge")[2].decode()
        found = INPUT.search(page)
        if found is None:
            raise RuntimeError("no instructions to read")
        self._form("/judge/instructions", {"version": found[1]})

    def work(self):
        """Every screen there is; what the last page says."""
        while True:
            found = self._json("POST", "/judge/next", {"new_sitting": True})
            if found.get("task") is None:
                return found["nothing"]
            task, tries = found["task"], 0
            while self.answer(task)["kind"] == "retry":
                tries += 1
                if tries > 30:
                    raise RuntimeError("asked again and again")

    def answer(self, task):
        """Send the answer to a task: a receipt, or the hint to try again."""
        body = {"answer": self.rate(task), "active_ms": 40_000}
        return self._json("POST", f"/judge/tasks/{task['token']}/answer", body)

    def _form(self, path, fields):
        sent = urlencode({**fields, "csrf": self.headers["x-csrf-token"]})
        kind = {"content-type": "application/x-www-form-urlencoded"}
        self.http.request("POST", path, sent, {**self.headers, **kind, "accept": "text/html"})
        answer = self.http.getresponse()
        body = answer.read()
        if answer.status != 303:
            raise RuntimeError(f"POST {path}: {answer.status} {body[:300]!r}")


class BrowserJudge:
    """A judge in front of a browser, who marks by keys and scores by numbers."""

    def __init__(self, browser, link, mind, **options):
        self.link, self.mind = link, mind
        self.context = browser.new_context(**{"reduced_motion": "reduce", **options})
        self.context.set_default_timeout(60_000)
        self.page = self.context.new_page()
        self.problems = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def take_first_steps(self):
        """From the link to the first document to learn on."""
        page = self.page
        page.goto(self.link)
        page.get_by_role("button", name="Begin").click()
        page.get_by_label("For how many years").fill("12")
        page.get_by_role("button", name="Keep the answers").click()
        page.get_by_role("button", name="I have read them").click()
        page.locator("#task").wait_for()

    def practise(self):
        """The tutorial, with one mistake; the hint that the mistake brought."""
        self._fill(lambda _: {"spans": [], "score": 50})
        self.page.locator("#submit").click()
        hint = self.page.locator("[data-reason='hint']")
        hint.wait_for()
        said = hint.inner_text()
        for _ in range(2):
            self._fill(lambda text: self.mind.cell(text, is_lesson=True))
            before = self._sources()
            self.page.locator("#submit").click()
            self.page.locator("#feedback-go").click()
            self._wait_for_other(before)
        return said

    def judge(self, screens):
        """So many documents; what the page says if the work ends before, or nothing."""
        for _ in range(screens):
            if self.page.locator("#notice").is_visible():
                return self.page.locator("#notice-text").inner_text()
            self._fill(self.mind.cell)
            before = self._sources()
            self.page.locator("#submit").click()
            self._wait_for_other(before)
        notice = self.page.locator("#notice-text")
        return notice.inner_text() if notice.is_visible() else ""

    def _sources(self):
        return "\n".join(self.page.locator(".segment").all_inner_texts())

    def _wait_for_other(self, before):
        """Until another document is there, or the end, or what is asked again."""
        self.page.wait_for_function(
            """before => {
              const shown = selector => document.querySelector(selector)?.checkVisibility();
              const words = [...document.querySelectorAll(".segment")].map(one => one.innerText);
              return shown("#notice") || shown("[data-reason='hint']")
                || (shown("#task") && words.length && words.join("\\n") !== before);
            }""",
            arg=before,
        )

    def _fill(self, cell_of):
        segments = self.page.locator(".segment")
        for row in range(segments.count()):
            columns = segments.nth(row).locator(".column")
            for place in range(columns.count()):
                self._fill_column(columns.nth(place), cell_of)

    def _fill_column(self, column, cell_of):
        text = column.locator(".marked-text")
        words = text.inner_text()
        cell = cell_of(words)
        for span in cell["spans"]:
            text.focus()
            self._press("Home", *["ArrowRight"] * len(re.findall(r"\s+", words[: span["start"]])))
            self._press("2" if span["severity"] == "major" else "1")
        column.locator(".track").first.focus()
        self._press(*str(cell["score"]))

    def _press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
