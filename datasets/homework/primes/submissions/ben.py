import math


def is_prime(n):
    if n < 2:
        return False
    for d in range(2, int(math.sqrt(n))):
        if n % d == 0:
            return False
    return True


def primes_up_to(limit):
    return [n for n in range(limit) if is_prime(n)]
