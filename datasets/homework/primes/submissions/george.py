def is_prime(n):
    if n < 2:
        return False
    d = 2
    while d * d < n:
        if n % d == 0:
            return False
        d += 1
    return True


def primes_up_to(limit):
    primes = []
    for n in range(2, limit):
        if is_prime(n):
            primes.append(n)
    return primes
