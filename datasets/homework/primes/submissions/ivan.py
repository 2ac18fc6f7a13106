def is_prime(n):
    for d in range(2, n):
        if n % d == 0:
            return False
        return True
    return False


def primes_up_to(limit):
    primes = []
    for n in range(2, limit + 1):
        if is_prime(n):
            primes = primes + [n]
    return primes
