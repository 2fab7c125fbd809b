/** The packages that a campaign needs. They are optional: who imports this hears whether they are there. */
import { Queue, WaitingError, Worker } from 'bullmq';
import { Redis } from 'ioredis';

export { Queue, Redis, WaitingError, Worker };
