"""Where work is done: on processes of this machine, or on a running Dask cluster.

One record for both, :class:`Site`. Work is a list of items and a function of one item; results come
back as they are finished, in any order. There is no scheduler of our own: ``concurrent.futures``
and Dask have theirs.
"""

from rankwise.engine.finished_work import Done as Done
from rankwise.engine.place_of_work import ENGINES as ENGINES
from rankwise.engine.place_of_work import Engine as Engine
from rankwise.engine.place_of_work import Site as Site
