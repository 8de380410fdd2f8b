// load.js: what the load generators of the references share: counting, and the same line of JSON as bench_load.
import { readFileSync } from "node:fs";

const [port, players, warmUp, seconds, pid] = process.argv.slice(2).map(Number);
export { port, players };
export const SEATS = 4;
export const tables = Math.floor(players / SEATS);

const slow = [];
let messages = 0, refused = 0, games = 0, counts = false;
export const heard = () => { if (counts) messages++; };
export const ended = () => { if (counts) games++; };
export const wasRefused = () => { refused++; };
export function acknowledged(sentMs) {
  if (counts) slow.push(performance.now() - sentMs);
}

// Processor seconds that the server has had.
function spent() {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /s, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const wait = (s) => new Promise((done) => setTimeout(done, s * 1000));
export const pause = () => wait(warmUp / 2 / tables);

// The games have begun.
export async function measure(server) {
  await wait(warmUp / 2);
  const [cpu, own, start] = [spent(), process.cpuUsage(), performance.now()];
  counts = true;
  await wait(seconds);
  counts = false;
  const time = (performance.now() - start) / 1000;
  const ownCpu = process.cpuUsage(own);
  slow.sort((a, b) => a - b);
  const at = (share) => Math.round(100 * (slow[Math.min(slow.length - 1, Math.floor(share * slow.length))] ?? 0)) / 100;
  console.log(JSON.stringify({
    server, players: tables * SEATS, tables, seconds: Math.round(time * 10) / 10,
    moves_per_second: Math.round(slow.length / time), ack_ms: { p50: at(0.5), p99: at(0.99), max: at(1) },
    messages_per_second: Math.round(messages / time), games_per_second: Math.round((10 * games) / time) / 10,
    server_cpu_us_per_move: Math.round(((spent() - cpu) * 1e6) / Math.max(1, slow.length)),
    server_cpu_share: Math.round((100 * (spent() - cpu)) / time) / 100,
    load_cpu_share: Math.round(((ownCpu.user + ownCpu.system) / 1e4) / time) / 100, refused,
  }));
  process.exit(0);
}
