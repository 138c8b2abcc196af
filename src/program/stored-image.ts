// Loads an image from the cache in another thread: only the entry's name crosses, not its megabytes.

import { openCache } from "../frontend/cache.js";
import type { ProgramImage } from "../jit/image.js";
import { decodeImage } from "./image-file.js";

interface StoredImageName {
  readonly directory: string;
  readonly kind: string;
  readonly key: string;
}

export function storedImageName(name: StoredImageName): string {
  return JSON.stringify(name);
}

/** A program on its way to another thread: the image itself, or the name of its cache entry. */
export type ImageSource =
  | { readonly kind: "image"; readonly image: ProgramImage }
  | { readonly kind: "stored"; readonly name: string };

export function imageOf(source: ImageSource): ProgramImage {
  return source.kind === "image" ? source.image : loadImage(source.name);
}

export function loadImage(argument: string): ProgramImage {
  const { directory, kind, key } = JSON.parse(argument) as StoredImageName;
  const bytes = openCache(directory).get(kind, key);
  const image = bytes === null ? null : decodeImage(bytes);
  if (image === null)
    throw new Error(`the cache entry ${kind}/${key} in ${directory} has vanished or was changed; run again`);
  return image;
}
