def is_prime(n):
    count = 0
    for d in range(1, n + 1):
        if n % d == 0:
            count += 1
    if count == 2:
        return True
    return False


def primes_up_to(limit):
    for n in range(2, limit + 1):
        if is_prime(n):
            print(n)
