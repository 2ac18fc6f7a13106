def is_prime(n):
    """Whether n has exactly two divisors."""
    if n < 2:
        return False
    for divisor in range(2, n):
        if n % divisor == 0:
            return False
    return True


def primes_up_to(limit):
    """All primes from 2 to the limit, the limit included."""
    found = []
    for n in range(2, limit + 1):
        if is_prime(n):
            found.append(n)
    return found
