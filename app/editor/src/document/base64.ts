export const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  const chunk = 0x8000;
  for (let k = 0; k < bytes.length; k += chunk) text += String.fromCharCode(...bytes.subarray(k, k + chunk));
  return btoa(text);
};

// A plain loop: ten times as fast as Uint8Array.from() with a function, which matters for megabytes.
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; ++k) bytes[k] = letters.charCodeAt(k);
  return bytes;
};
