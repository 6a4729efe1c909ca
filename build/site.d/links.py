"""Links of the documentation's pages: links.py <pages> <repository>, or links.py --check <site>.

The first form changes links to files that are not pages to links to the repository, and links names of public types
to their Javadoc. It makes the first screen of the README the front page, and capitalizes the titles of recipes. The
second form prints each link, image, style or script of a finished site whose target is missing, and exits with 1 if
there is one.
"""

import html.parser
import os
import pathlib
import re
import sys
import urllib.parse

REPOSITORY = "https://github.com/rocksdbffm/rocksdb-ffm"
LINK = re.compile(r"(\]\(|^\[[^\]\n]+\]: )([^)\s#:]+)((?:#[^)\s]*)?)(?=\)|\s*$)", re.MULTILINE)


def lead_to_repository(pages, repository):
    for page in pages.rglob("*.md"):
        folder = page.parent.relative_to(pages)

        def there(link):
            before, target, heading = link.groups()
            path = pathlib.Path(os.path.normpath(folder / target))
            if (pages / path).is_file() and path.suffix:
                return link.group(0)
            if not (repository / path).exists():
                sys.exit(f"{page.relative_to(pages)} links to {target}, which is not there")
            kind = "tree" if (repository / path).is_dir() else "blob"
            return f"{before}{REPOSITORY}/{kind}/main/{path}{heading}"

        text = page.read_text()
        page.write_text(LINK.sub(there, text))


def lead_to_api(pages, repository):
    root = repository / "rocksdb-ffm/src/main/java"
    types = {file.stem: file.relative_to(root).with_suffix(".html") for package in ("", "reports")
             for file in (root / "org/rocksdbffm" / package).glob("[A-Z]*.java")}
    name = re.compile(r"(?ms)^```.*?^```$|(?<!\[)`(\w+)(?:\.\w+)*`(?!\])|^#[^\n]*|\[[^\]]*\]")

    for page in (pages / "docs").rglob("*.md"):
        up = "../" * len(page.relative_to(pages).parent.parts)

        def there(found):
            known = types.get(found.group(1))
            return f"[{found.group(0)}]({up}api/org.rocksdbffm/{known})" if known else found.group(0)

        page.write_text(name.sub(there, page.read_text()))


def name_recipes(pages):
    for page in (pages / "docs/how-to").glob("[a-z]*.md"):
        page.write_text(re.sub(
            r"(?m)^## \.\.\. (.)(.*)$",
            lambda recipe: f"## {recipe[1].upper()}{recipe[2]} {{: #-{slug(recipe[1] + recipe[2])} }}",
            page.read_text()))


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def make_front(readme):
    """Two programs stand beside each other, and buttons below the first sentence."""
    text = readme.read_text()
    head, rest = text.split("\n**rocksdbjni**", 1)
    crash, rest = ("\n**rocksdbjni**" + rest).split("\n**rocksdb-ffm:**", 1)
    own, rest = ("\n**rocksdb-ffm:**" + rest).split("\n- **Safe:**", 1)
    buttons = "".join(f"[{label}]({page}){{ .md-button {more}}} " for label, page, more in (
        ("Tutorial", "docs/tutorial.md", ".md-button--primary "), ("On org.rocksdb already?", "docs/drop-in.md", ""),
        ("Benchmarks", "docs/benchmarks.md", "")))
    readme.write_text(
        f"---\nhide: [navigation, toc]\n---\n<div class='front' markdown>\n{head}\n{buttons}\n</div>\n"
        f"<div class='grid' markdown>\n<div markdown>\n{crash}</div>\n<div markdown>\n{own}</div>\n</div>\n\n- **Safe:**{rest}")


class Page(html.parser.HTMLParser):
    """The names that a page has, and the addresses that it leads to."""

    def __init__(self, file):
        super().__init__()
        self.names = set()
        self.targets = set()
        self.feed(file.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.names.add(value)
            if name in ("href", "src") and value:
                self.targets.add(value)


def check(site):
    pages = {file: Page(file) for file in site.rglob("*.html")}
    broken = []
    for file, page in pages.items():
        for target in sorted(page.targets):
            address = urllib.parse.urlsplit(target)
            if address.scheme or address.netloc or target.startswith("javascript:"):
                continue
            path = urllib.parse.unquote(address.path)
            if path.startswith("/") and file.name == "404.html":
                continue
            there = pathlib.Path(os.path.normpath(file.parent / path)) if path else file
            there = there / "index.html" if there.is_dir() else there
            heading = urllib.parse.unquote(address.fragment)
            if not there.is_file():
                broken.append(f"{file.relative_to(site)} -> {target}")
            elif heading and there in pages and heading not in pages[there].names and heading != "__skip":
                broken.append(f"{file.relative_to(site)} -> {target}: no such heading")
    print("\n".join(broken) or f"{len(pages)} pages, and every link within the site leads somewhere")
    return 1 if broken else 0


if sys.argv[1] == "--check":
    sys.exit(check(pathlib.Path(sys.argv[2])))
pages, repository = map(pathlib.Path, sys.argv[1:])
lead_to_repository(pages, repository)
lead_to_api(pages, repository)
name_recipes(pages)
make_front(pages / "README.md")
