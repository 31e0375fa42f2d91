export const toBase64 = (bytes: Uint8Array): string => {
  let text = "";
  const chunk = 0x8000;
  for (let k = 0; k < bytes.length; k += chunk) text += String.fromCharCode(...bytes.subarray(k, k + chunk));
  return btoa(text);
};

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
