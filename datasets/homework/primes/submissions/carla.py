def is_prime(n):
    prime = True
    for d in range(2, n):
        if n % d == 0:
            prime = False
    return prime


def primes_up_to(limit):
    primes = []
    n = 2
    while n <= limit:
        if is_prime(n):
            primes.append(n)
        n += 1
    return primes
