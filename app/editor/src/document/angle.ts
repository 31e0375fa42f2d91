// Angles: radians inside, degrees in scenes and on the screen.

export const degrees = (radians: number) => (radians * 180) / Math.PI;

export const radians = (degrees: number) => (degrees * Math.PI) / 180;
