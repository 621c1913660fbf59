/** Sounds that run in step: of several one is heard, and a switch keeps the place of the recording. */
import { readBytes } from './api.js';

const FADE = 0.008; // time constant of a switch [s]

/** A sound file of the folder. */
export const readSound = async (context, path) => context.decodeAudioData(await readBytes(path));

/** Loops of one length in `context`, all with the gain that their files have. hear(index) switches at the same place of
 * the recording; the gains of the two add up to one while it lasts. */
export function playInStep(context, buffers) {
  const length = Math.max(...buffers.map((buffer) => buffer.length));
  const tracks = buffers.map((buffer) => {
    const whole = new AudioBuffer({ numberOfChannels: buffer.numberOfChannels, length, sampleRate: buffer.sampleRate });
    for (let c = 0; c < buffer.numberOfChannels; c++) whole.copyToChannel(buffer.getChannelData(c), c);
    const source = new AudioBufferSourceNode(context, { buffer: whole, loop: true }), level = new GainNode(context, { gain: 0 });
    source.connect(level).connect(context.destination);
    return { source, level };
  });
  const at = context.currentTime + 0.05;
  for (const { source } of tracks) source.start(at);
  return {
    hear: (index) => tracks.forEach(({ level }, i) => level.gain.setTargetAtTime(i === index ? 1 : 0, context.currentTime, FADE)),
    stop: () => tracks.forEach(({ source, level }) => { source.stop(); level.disconnect(); }),
  };
}
