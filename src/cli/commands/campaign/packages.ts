/** The packages that a campaign needs. They are optional: importing this module fails if they are missing. */
import { Job, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { Redis } from 'ioredis';

export { Job, Queue, Redis, UnrecoverableError, WaitingError, Worker };
