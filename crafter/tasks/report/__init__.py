"""Reports: what agents made of a suite, as Markdown, HTML, CSV, JSON and figures."""

from crafter.tasks.report.attempts import Material, Row, load
from crafter.tasks.report.tables import TABLES
from crafter.tasks.report.write import write

__all__ = ["TABLES", "Material", "Row", "load", "write"]
