"""Addresses as they are counted: one of IPv4, or a whole network of IPv6, which one person has."""

from collections.abc import Collection
from ipaddress import IPv6Address, ip_address, ip_network

#: Whoever has an address of IPv6 has all of its network, and may come from another each time.
_PREFIX = 64


def network_of(host: str) -> str:
    """What stands for the address *host* where tries and connections are counted.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2"), network_of("2001:db8::ff")
    ('192.0.2.7', '2001:db8::/64', '2001:db8::/64')
    >>> network_of("::ffff:192.0.2.7"), network_of("testclient")
    ('192.0.2.7', 'testclient')
    """
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), _PREFIX), strict=False))


def is_among(host: str, named: Collection[str]) -> bool:
    """Whether the address *host* is one of those that are *named*, singly, by network or by ``*``.

    >>> is_among("10.0.0.9", ["10.0.0.0/8"]), is_among("10.0.0.9", ["10.0.0.8", "localhost"])
    (True, False)
    """
    return host in named or "*" in named or any(_is_within(host, network) for network in named)


def _is_within(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network)
    except ValueError:  # a name is no network
        return False
