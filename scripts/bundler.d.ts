export function bundle(dist: string, replaced?: ReadonlyMap<string, string>): Promise<void>;
export function withoutComments(dist: string): Promise<void>;
