"""Which hosts are this machine, where nobody else can listen."""

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Whether a name or number of a host is that of this machine's loopback.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("::1")
    (True, True, True)
    >>> is_loopback("example.org"), is_loopback("")
    (False, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
