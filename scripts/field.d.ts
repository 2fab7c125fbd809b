export function fieldPage(): { text: string; pictures: ReadonlyMap<string, string> };
export function writeFieldPage(folder: string): void;
