def primes_up_to(limit):
    sieve = [True] * limit
    sieve[0] = sieve[1] = False
    for n in range(2, limit):
        if sieve[n]:
            for multiple in range(n * n, limit, n):
                sieve[multiple] = False
    return [n for n in range(limit) if sieve[n]]


def is_prime(n):
    return n > 1 and n in primes_up_to(n)
