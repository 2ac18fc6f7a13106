def is_prime(n):
    if n > 1:
        for d in range(2, n):
            if (n % d) == 0:
                return False
            break
        return True
    return False


def primes_up_to(limit):
    primes = []
    for n in range(limit + 1):
        if is_prime(n):
            primes.append(n)
            return primes
