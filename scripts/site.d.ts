import type { Server } from 'node:http';

export function buildPlayground(folder: string): Promise<void>;
export function serve(folder: string, port?: number): Promise<{ server: Server; address: string }>;
