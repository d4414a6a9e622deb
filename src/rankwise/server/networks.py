"""Addresses as they are counted: one of IPv4, or a whole network of IPv6, which one person has."""

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
