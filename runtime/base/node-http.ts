// What servers need of `node:http`, without an import of it: the import makes all of its exports, of which `WebSocket` loads all of
// `fetch`. A start can do without that.

export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");
