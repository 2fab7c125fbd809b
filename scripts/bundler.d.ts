export function bundle(dist: string, replaced?: ReadonlyMap<string, string>): Promise<void>;
