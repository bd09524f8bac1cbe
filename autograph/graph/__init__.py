"""What does a program look like? A neutral view of it, and drawings in every format.

view.py  extract.py  clusters.py     the program as nodes, edges, groups and functions
focus.py  diff.py  overlay.py        other views: a part, a comparison, counts
parts.py  order.py  request.py  engine.py  answer.py  simple.py  place.py  layout.py      where everything goes
style.py  css.py  shapes.py  sizes.py  text.py  svg.py  html.py  static/                  how it looks
dot.py  raster.py  mermaid.py  data.py                                                    other formats
drawing.py                           ``draw`` and ``Drawing``
"""

from autograph.graph.drawing import FORMATS, Drawing, draw
from autograph.graph.engine import DrawingError
from autograph.graph.extract import view_of
from autograph.graph.view import View

__all__ = ["FORMATS", "Drawing", "DrawingError", "View", "draw", "view_of"]
