/** Listening: a dry recording in two rooms, with one gain for both, looped in step, by name or blind. */

const RATE = 48000; // of responses
const FADE = 0.008; // time constant of a switch [s]
const PEAK = 0.9; // of the loudest sample

/** Channels of a WAV of 32-bit floats, as the program writes them; only those of `wanted` (a list), or all. Throws an
 * Error for another file. */
export function wavChannels(buffer, wanted = null) {
  const words = new DataView(buffer), name = (at) => String.fromCharCode(...new Uint8Array(buffer, at, 4));
  let count = 0, bits = 0;
  for (let at = 12; at + 8 <= buffer.byteLength;) {
    const size = words.getUint32(at + 4, true);
    if (name(at) === 'fmt ') [count, bits] = [words.getUint16(at + 10, true), words.getUint16(at + 22, true)];
    if (name(at) === 'data') {
      if (bits !== 32 || count === 0) break;
      const frames = Math.floor(Math.min(size, buffer.byteLength - at - 8) / (4 * count));
      return (wanted ?? [...Array(count).keys()]).map((channel) =>
        Float32Array.from({ length: frames }, (_, i) => words.getFloat32(at + 8 + 4 * (i * count + channel), true)));
    }
    at += 8 + size + (size % 2);
  }
  throw new Error('not a WAV of 32-bit floats');
}

/** A recording as one channel at the rate of responses: a source is one point. */
export async function decodeDry(bytes) {
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  const mean = new Float32Array(sound.length);
  for (let c = 0; c < sound.numberOfChannels; c++) sound.getChannelData(c).forEach((value, i) => { mean[i] += value / sound.numberOfChannels; });
  return mean;
}

/** A click: then one hears the response itself. */
export const click = () => new Float32Array([1]);

function bufferOf(channels) {
  const buffer = new AudioBuffer({ numberOfChannels: channels.length, length: channels[0].length, sampleRate: RATE });
  channels.forEach((samples, c) => buffer.copyToChannel(samples, c));
  return buffer;
}

/** The dry sound through a response of one or two channels, to its end. No gain: with a click it is the response. */
export function convolve(dry, response) {
  const length = dry.length + response[0].length - 1;
  const context = new OfflineAudioContext(response.length, length, RATE);
  const source = new AudioBufferSourceNode(context, { buffer: bufferOf([dry]) });
  const room = new ConvolverNode(context, { disableNormalization: true });
  room.buffer = bufferOf(response);
  source.connect(room).connect(context.destination);
  source.start();
  return context.startRendering();
}

const peakOf = (buffer) => {
  let peak = 0;
  for (let c = 0; c < buffer.numberOfChannels; c++) for (const value of buffer.getChannelData(c)) peak = Math.max(peak, Math.abs(value));
  return peak;
};

/** The one gain of several sounds, so that the loudest is just not clipped. */
export const commonGain = (buffers) => PEAK / Math.max(1e-9, ...buffers.map(peakOf));

/** Loops of one length that run in step in `context`; one is heard. hear(index) switches at the same place of the
 * recording. */
export function playInStep(context, buffers, gain) {
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
    hear: (index) => tracks.forEach(({ level }, i) => level.gain.setTargetAtTime(i === index ? gain : 0, context.currentTime, FADE)),
    stop: () => tracks.forEach(({ source, level }) => { source.stop(); level.disconnect(); }),
  };
}
