"""Ed25519 verification from RFC 8032, section 5.1, in plain integers; it shares nothing with what the service uses."""

from hashlib import sha512

Point = tuple[int, int, int, int]

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1


def add(one: Point, two: Point) -> Point:
    """Add two points in extended coordinates (5.1.4)."""
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c = 2 * one[3] * two[3] * D % P
    d = 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(factor: int, point: Point) -> Point:
    found: Point = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            found = add(found, point)
        point = add(point, point)
        factor >>= 1
    return found


def equal(one: Point, two: Point) -> bool:
    return (one[0] * two[2] - two[0] * one[2]) % P == 0 and (one[1] * two[2] - two[1] * one[2]) % P == 0


def point(encoded: bytes) -> Point | None:
    """Read a point (5.1.3)."""
    number = int.from_bytes(encoded, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return (x, y, 1, x * y % P)


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a signature is right (5.1.7)."""
    key, commitment = point(public), point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or key is None or commitment is None or BASE is None or scalar >= ORDER:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % ORDER
    return equal(times(scalar, BASE), add(commitment, times(challenge, key)))
