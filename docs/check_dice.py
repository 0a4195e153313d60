"""Check the app's dice of a battle: python3 check_dice.py dice.json"""

import hashlib
import hmac
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    battle = json.load(file)
seed, wrong = bytes.fromhex(battle["seed"]), 0
if hashlib.sha256(seed).hexdigest() != battle["seal"]:
    sys.exit("The seed does not fit the seal.")
sealed = [throw for throw in battle["throws"] if throw["identity"]]
for throw in sealed:
    faces, sides, block = [], throw["sides"], 0
    while len(faces) < len(throw["faces"]):
        message = "|".join([*throw["identity"], str(block)])
        fair = hmac.digest(seed, message.encode(), "sha256")
        faces += [byte % sides + 1 for byte in fair if byte < 256 - 256 % sides]
        block += 1
    wrong += faces[: len(throw["faces"])] != throw["faces"]
sys.stdout.write(f"Seal {battle['seal']}: {len(sealed)} throws checked, {wrong} wrong.\n")
sys.exit(wrong > 0)
