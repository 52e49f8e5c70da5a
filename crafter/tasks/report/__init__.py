"""Reports on runs, as Markdown, HTML and CSV."""

from crafter.tasks.report.tables import TABLES, summary
from crafter.tasks.report.write import write
from crafter.tasks.scoring.files import Material, Row, load

__all__ = ["TABLES", "Material", "Row", "load", "summary", "write"]
