/* race.c: two threads write to one number without a lock; ./test has the thread sanitizer find it.
 */
#include <pthread.h>
#include <stddef.h>

static int number;

static void *write_number(void *arg)
{
    (void)arg;
    number++;
    return NULL;
}

int main(void)
{
    pthread_t other;
    if (pthread_create(&other, NULL, write_number, NULL) != 0)
        return 0;
    (void)write_number(NULL);
    (void)pthread_join(other, NULL);
    return 0;
}
