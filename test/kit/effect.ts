import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES, type Example } from './example.js';

/**
 * What stands in the place of an example's empty `act`: it writes down its key and the length of its body, takes a
 * second for a shipment that begins with SLOW, and fails as long as the file `down` is there. The TypeScript one throws
 * at once, or rejects where it is slow.
 */
const EFFECTS: Readonly<Record<Example, { empty: RegExp; effect: string; file: string }>> = {
  TypeScript: {
    empty: /^function act\(_key: string, _body: Uint8Array\): void \| Promise<void> \{\}$/m,
    effect: `import { appendFileSync } from 'node:fs';
function act(key: string, body: Uint8Array): void | Promise<void> {
  appendFileSync('FOLDER/effects', \`\${key} \${body.byteLength}\\n\`);
  const fail = (): void => {
    if (existsSync('FOLDER/down')) throw new Error('the table is locked');
  };
  if (key.startsWith('SLOW')) return delay(1_000).then(fail);
  fail();
}`,
    file: 'acting.mts',
  },
  Python: {
    empty: /(?<=^def act\(key, body\):\n {4}"""[^"]*""")$/m,
    effect: `
    import os
    with open("FOLDER/effects", "a") as file:
        file.write(f"{key} {len(body)}\\n")
    if key.startswith("SLOW"):
        time.sleep(1)
    if os.path.exists("FOLDER/down"):
        raise RuntimeError("the table is locked")`,
    file: 'acting.py',
  },
  Go: {
    empty: /^func act\(key string, body \[\]byte\) error \{ return nil \}$/m,
    effect: `func act(key string, body []byte) error {
	file, err := os.OpenFile("FOLDER/effects", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	fmt.Fprintf(file, "%s %d\\n", key, len(body))
	if strings.HasPrefix(key, "SLOW") {
		time.Sleep(time.Second)
	}
	if _, err := os.Stat("FOLDER/down"); err == nil {
		return errors.New("the table is locked")
	}
	return nil
}`,
    file: 'acting.go',
  },
};

/** The example as a subscriber has it: copied, with an effect of one's own. The file of the copy. */
export function copyWithEffect(example: Example, folder: string): string {
  const { empty, effect, file } = EFFECTS[example];
  const text = readFileSync(SOURCES[example], 'utf8');
  const copy = text.replace(empty, () => effect.replaceAll('FOLDER', folder));
  if (copy === text) throw new Error(`the ${example} example has no empty act`);
  writeFileSync(join(folder, file), copy);
  return join(folder, file);
}
