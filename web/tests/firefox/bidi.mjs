// Firefox, driven by WebDriver BiDi over a WebSocket of our own: Playwright drives only a Firefox that it has patched.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A text frame, masked as a client's must be. */
function frame(text) {
  const bytes = Buffer.from(text);
  const head = bytes.length < 126 ? [0x81, 0x80 | bytes.length] : bytes.length < 65536 ? [0x81, 0xfe, bytes.length >> 8, bytes.length & 255] : null;
  if (!head) throw new Error("too long");
  const mask = randomBytes(4);
  return Buffer.concat([Buffer.from(head), mask, bytes.map((byte, at) => byte ^ mask[at % 4])]);
}

const move = (x, y) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 50 });

/** The messages in what a socket receives, after the answer to its handshake. */
class Reader {
  constructor() {
    this.buffer = Buffer.alloc(0);
    this.parts = [];
    this.upgraded = false;
  }

  /** @param {Buffer} data @returns {object[]} */
  read(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    const end = this.upgraded ? -1 : this.buffer.indexOf("\r\n\r\n");
    if (end >= 0) this.buffer = this.buffer.subarray(end + 4);
    this.upgraded ||= end >= 0;
    const messages = [];
    for (let text; this.upgraded && (text = this.frame()) !== undefined; ) if (text) messages.push(JSON.parse(text));
    return messages;
  }

  /** The text that the next frame ends, "" if it ends none; undefined if it is not all there. */
  frame() {
    const { buffer } = this;
    if (buffer.length < 2) return undefined;
    const size = { 126: 2, 127: 8 }[buffer[1] & 127] ?? 0;
    if (buffer.length < 2 + size) return undefined;
    const length = size === 0 ? buffer[1] & 127 : size === 2 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
    const start = 2 + size;
    if (buffer.length < start + length) return undefined;
    this.buffer = buffer.subarray(start + length);
    // Neither a ping nor the end of the socket.
    if ((buffer[0] & 15) > 2) return "";
    this.parts.push(buffer.subarray(start, start + length));
    if (!(buffer[0] & 128)) return "";
    const text = Buffer.concat(this.parts).toString();
    this.parts = [];
    return text;
  }
}

/** Starts Firefox with a new profile. @param {string} executable */
export async function firefox(executable) {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const child = spawn(executable, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
  const port = await new Promise((found, failed) => {
    let said = "";
    child.stderr.on("data", (data) => {
      said += data;
      const match = /WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(said);
      if (match) found(Number(match[1]));
    });
    child.on("exit", () => failed(new Error(said)));
  });
  const socket = connect(port, "127.0.0.1");
  await new Promise((open) => socket.on("connect", open));
  socket.write(`GET /session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Version: 13\r\n\r\n`);
  const waiting = new Map();
  const events = [];
  const reader = new Reader();
  let count = 0;
  const opened = new Promise((open) => socket.once("data", open));
  socket.on("data", (data) => {
    for (const message of reader.read(data)) {
      if (message.id === undefined) events.push(message);
      else if (message.type === "error") waiting.get(message.id)[1](new Error(`${message.error}: ${message.message}`));
      else waiting.get(message.id)[0](message.result);
    }
  });
  const send = (method, params = {}) => new Promise((done, failed) => {
    waiting.set(++count, [done, failed]);
    socket.write(frame(JSON.stringify({ id: count, method, params })));
  });
  await opened;
  await send("session.new", { capabilities: {} });
  const { contexts: [{ context }] } = await send("browsingContext.getTree");
  return {
    events, send, context,
    go: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    reload: () => send("browsingContext.reload", { context, wait: "complete" }),
    size: (width, height) => send("browsingContext.setViewport", { context, viewport: { width, height } }),
    async evaluate(expression) {
      const { type, result, exceptionDetails } = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
      if (type === "exception") throw new Error(exceptionDetails.text);
      return result.value;
    },
    async until(expression, what = expression) {
      for (let tries = 0; tries < 600; tries++) {
        if (await this.evaluate(`Boolean(${expression})`)) return;
        await new Promise((go) => setTimeout(go, 100));
      }
      throw new Error(`never: ${what}`);
    },
    /** Clicks at each point. */
    async click(...points) {
      const actions = points.flatMap(([x, y]) => [move(x, y), { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }]);
      await send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
    },
    /** Drags with a button, 0 for the left, 2 for the right one. */
    async drag(from, to, button = 0) {
      const actions = [move(...from), { type: "pointerDown", button }, move(...to), { type: "pause", duration: 100 }, { type: "pointerUp", button }];
      await send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
    },
    async key(...keys) {
      const actions = keys.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
      await send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
    },
    async close() {
      await send("browser.close").catch(() => {});
      socket.destroy();
      await new Promise((ended) => { child.on("exit", ended); setTimeout(() => child.kill(), 3000); });
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
