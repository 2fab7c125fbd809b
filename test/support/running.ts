import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Minutes after which a test file is named that has not ended. The slowest takes half of it on a slow machine. */
const LONG = 4;

/**
 * Names the test files that have been running for long, once a minute, so that the output of a run that hangs says where: what
 * never gives way, such as an endless loop, is beyond the limits of time that tests have.
 */
export default class Running implements Reporter {
  private readonly since = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.timer = setInterval(() => this.tell(), 60_000);
    this.timer.unref();
  }

  onTestModuleStart({ moduleId }: TestModule): void {
    this.since.set(moduleId, performance.now());
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.since.delete(moduleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.timer);
  }

  private tell(): void {
    for (const [file, start] of this.since) {
      const minutes = Math.floor((performance.now() - start) / 60_000);
      if (minutes >= LONG)
        process.stdout.write(`${relative('.', file)} has been running for ${minutes} min\n`);
    }
  }
}
