def is_prime(n):
    if n <= 1:
        return False
    for i in range(2, n):
        if n % i == 0:
            return False
        else:
            return True


def primes_up_to(limit):
    result = []
    for i in range(2, limit + 1):
        if is_prime(i):
            result.append(i)
    return result
