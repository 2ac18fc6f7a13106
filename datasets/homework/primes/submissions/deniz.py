def is_prime(n):
    if n < 2:
        return False
    for d in range(1, n):
        if n % d == 0:
            return False
    return True


def primes_up_to(limit):
    list = []
    for n in range(limit + 1):
        if is_prime(n):
            list.append(n)
    return list
