"""A Trench Too Far: platoons, companies and tanks of the early twentieth century; one base is a squad."""
