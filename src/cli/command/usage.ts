const NAME = 'UsageError';

/** A mistake in how a command was called. The message also says where the command's help is. */
export class UsageError extends Error {
  override readonly name = NAME;
}

/** Is something thrown a usage error? By its name: each bundle has a class of its own. */
export const isUsageError = (error: unknown): error is UsageError =>
  error instanceof Error && error.name === NAME;
