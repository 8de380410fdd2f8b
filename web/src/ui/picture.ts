// The picture of a result that people share: drawn here, sent nowhere by itself.
import type { Standing } from '../model/game';

export interface Shared {
  game: string;
  title: string;
  about: string;
  standing: readonly Standing[];
  /** The drawing above the result. */
  hero: string;
}

const W = 1200;
const H = 630;
const EDGE = 64;
const BAR = { left: 420, right: W - 150, height: 40 };

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The text in as many lines as it needs. */
function lines(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const out: string[] = [];
  for (const word of text.split(' ')) {
    const last = out.at(-1);
    if (last !== undefined && pen.measureText(`${last} ${word}`).width <= width)
      out[out.length - 1] = `${last} ${word}`;
    else out.push(word);
  }
  return out;
}

async function load(src: string): Promise<HTMLImageElement> {
  const image = new Image(96, 96);
  image.src = src;
  await image.decode();
  return image;
}

function water(pen: CanvasRenderingContext2D): void {
  const sea = pen.createLinearGradient(0, 0, 0, H);
  sea.addColorStop(0, token('--drop'));
  sea.addColorStop(1, token('--abyss'));
  pen.fillStyle = sea;
  pen.fillRect(0, 0, W, H);
  pen.strokeStyle = 'rgba(124, 198, 200, 0.25)';
  pen.lineWidth = 2;
  for (let y = 90; y < H; y += 90) {
    pen.beginPath();
    for (let x = 0; x <= W; x += 20) pen.lineTo(x, y + Math.sin((x + y * 3) / 150) * 22);
    pen.stroke();
  }
}

function bars(pen: CanvasRenderingContext2D, standing: readonly Standing[], top: number): void {
  const most = Math.max(1, ...standing.map((s) => s.value));
  const step = Math.min(64, (H - EDGE - top) / Math.max(1, standing.length));
  standing.forEach((s, i) => {
    const y = top + i * step;
    const middle = y + BAR.height / 2;
    pen.font = `700 28px ${token('--sans')}`;
    pen.textBaseline = 'middle';
    pen.fillStyle = '#fff';
    pen.textAlign = 'left';
    pen.fillText(s.name, EDGE, middle, BAR.left - EDGE - 20);
    pen.fillStyle = s.seat === null ? token('--lagoon') : token(`--s${s.seat + 1}`);
    pen.fillRect(BAR.left, y, Math.max(4, ((BAR.right - BAR.left) * s.value) / most), BAR.height);
    pen.fillStyle = '#fff';
    pen.textAlign = 'right';
    pen.fillText(String(s.value), W - EDGE, middle);
  });
}

/** A PNG of 1200 × 630, the size that messengers show whole. */
export async function picture(what: Shared): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = W;
  canvas.height = H;
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  await document.fonts.ready;
  water(pen);
  pen.textBaseline = 'alphabetic';
  pen.fillStyle = token('--lamp');
  pen.font = `600 30px ${token('--serif')}`;
  pen.fillText(`Fathom · ${what.game}`, EDGE, EDGE + 10);
  const hero = await load(what.hero).catch(() => null);
  if (hero) pen.drawImage(hero, W - EDGE - 170, EDGE - 24, 170, 170);
  pen.fillStyle = '#fff';
  let y = EDGE + 84;
  pen.font = `600 58px ${token('--serif')}`;
  for (const line of lines(pen, what.title, W - 2 * EDGE - 200).slice(0, 2)) {
    pen.fillText(line, EDGE, y);
    y += 64;
  }
  pen.font = `400 30px ${token('--sans')}`;
  for (const line of lines(pen, what.about, W - 2 * EDGE).slice(0, 2)) {
    pen.fillText(line, EDGE, y);
    y += 40;
  }
  bars(pen, what.standing, y + 10);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'),
  );
}

/** To the share sheet where the device has one for files, else into the downloads. */
export async function share(blob: Blob, name: string): Promise<void> {
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => undefined);
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
