/** The packages that a campaign needs. They are optional: who imports this hears whether they are there. */
import { Job, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { Redis } from 'ioredis';

export { Job, Queue, Redis, UnrecoverableError, WaitingError, Worker };
