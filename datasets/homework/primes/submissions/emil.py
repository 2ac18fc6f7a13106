def is_prime(n):
    if n == 2:
        return True
    if n % 2 == 0 or n < 2:
        return False
    return True


def primes_up_to(limit):
    found = []
    for n in range(1, limit + 1):
        if is_prime(n) == True:
            found.append(n)
    return found
