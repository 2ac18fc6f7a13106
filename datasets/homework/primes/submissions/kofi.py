def is_prime(n):
    if n < 2:
        return False
    for d in range(2, n // 2):
        if n % d == 0:
            return False
    return True


def primes_up_to(limit):
    result = []
    for n in range(limit + 1):
        if is_prime:
            result.append(n)
    return result
